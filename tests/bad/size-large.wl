tmpfile data 99999999999g
run @readfile $data
