run @tru
