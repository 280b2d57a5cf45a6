sh bash 'a' 'b'
