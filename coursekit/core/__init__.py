"""What everything rests on: data, losses, penalties, the objective, steps. numpy alone."""
