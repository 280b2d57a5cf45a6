repeat 3
end
