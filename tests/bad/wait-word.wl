wait now
