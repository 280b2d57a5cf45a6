include include-itself.wl
run true
