"""What people use: command, application, reports, comparison."""
