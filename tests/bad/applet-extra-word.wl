run @true now
