run @exit 256
