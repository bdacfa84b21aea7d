package app

import "context"

// resume completes work that a crash may have interrupted. The service starts even if a season cannot be completed, so
// that games go on.
func (a *App) resume(ctx context.Context) error {
	if err := a.Director.Resume(ctx); err != nil {
		return err
	}
	if err := a.commands.Reader.Repair(ctx); err != nil && ctx.Err() == nil {
		a.logger.Error("seasons of leagues are half-made; confirm them again", "error", err)
	}
	if err := a.commands.OpenLadderGames(ctx); err != nil && ctx.Err() == nil {
		a.logger.Error("games of ladders could not be opened; their players can open them", "error", err)
	}
	return nil
}
