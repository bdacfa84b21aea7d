package pages

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/message"
	"quatuor/api/problem"
)

// problemBody is a type of problem, as its page and the list of all types explain it.
type problemBody struct {
	problem.Type
	Title, Means, Do string
}

// problems lists the types of problems that the API answers with.
func (p *Pages) problems(c echo.Context) error {
	var list []problemBody
	for _, kind := range problem.Types() {
		body, err := explainProblem(p.reader(c), kind)
		if err != nil {
			return err
		}
		list = append(list, body)
	}
	return p.show(c, "problems", "", list)
}

// problem is the page of one type, to which the member type of problem documents leads.
func (p *Pages) problem(c echo.Context) error {
	for _, kind := range problem.Types() {
		if kind.Slug != c.Param("slug") {
			continue
		}
		body, err := explainProblem(p.reader(c), kind)
		if err != nil {
			return err
		}
		return p.show(c, "problem", "", body)
	}
	return errMissing
}

// explainProblem says in the reader's language what a type of problem means, and what to do.
func explainProblem(in *message.Printer, kind problem.Type) (problemBody, error) {
	body := problemBody{Type: kind}
	for name, text := range map[string]*string{"title": &body.Title, "means": &body.Means, "do": &body.Do} {
		var err error
		if *text, err = in.Text("problems.of." + kind.Slug + "." + name); err != nil {
			return body, err
		}
	}
	return body, nil
}
