run @exit
