run @readfile $data
tmpfile data 1k
