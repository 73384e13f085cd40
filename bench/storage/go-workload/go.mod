module go-workload

go 1.22
