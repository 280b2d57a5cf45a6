run @work
