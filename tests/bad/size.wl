tmpfile data 4q
run @readfile $data
