-- A page of the inbox reads only its own blocked and handed-in issues, oldest first, instead of sorting all of them.
-- lock: writes of issues wait for about a second per million issues
CREATE INDEX issue_awaiting_person ON issue (company_id, status, status_since, id)
  WHERE status IN ('blocked', 'in_review');
