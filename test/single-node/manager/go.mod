module manager

go 1.24
