run true
run @tru
