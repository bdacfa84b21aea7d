package reference

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/problem"
)

// ProblemBody is a type of problem, as its page and the list of all types explain it.
type ProblemBody struct {
	problem.Type
	Title, Means, Do string
}

// problems serves the list of problem types of the API.
func (p *Pages) problems(c echo.Context) error {
	var list []ProblemBody
	for _, kind := range problem.Types() {
		body, err := ExplainProblem(p.Reader(c), kind)
		if err != nil {
			return err
		}
		list = append(list, body)
	}
	return p.Show(c, "problems", "", list)
}

// problem serves the page of a problem type, the target of the member type of problem documents.
func (p *Pages) problem(c echo.Context) error {
	for _, kind := range problem.Types() {
		if kind.Slug != c.Param("slug") {
			continue
		}
		body, err := ExplainProblem(p.Reader(c), kind)
		if err != nil {
			return err
		}
		return p.Show(c, "problem", "", body)
	}
	return kit.ErrMissing
}

// ExplainProblem explains a type of problem and its remedy in the reader's language.
func ExplainProblem(in *message.Printer, kind problem.Type) (ProblemBody, error) {
	body := ProblemBody{Type: kind}
	for name, text := range map[string]*string{"title": &body.Title, "means": &body.Means, "do": &body.Do} {
		var err error
		if *text, err = in.Text("problems.of." + kind.Slug + "." + name); err != nil {
			return body, err
		}
	}
	return body, nil
}
