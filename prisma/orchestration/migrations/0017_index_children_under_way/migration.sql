-- The inbox asks which issues wait for a child: one read of this index instead of one look per issue.
-- lock: writes of issues wait for about a second per million issues
CREATE INDEX issue_under_way_children ON issue (company_id, parent_id)
  WHERE parent_id IS NOT NULL AND status IN ('todo', 'in_progress', 'in_review', 'blocked');
