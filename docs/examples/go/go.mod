module example/textbot

go 1.24
