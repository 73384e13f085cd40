module example-target

go 1.19
