export const goalScope = (companyId: string, goalId: string) => `
  serving_goal(id) AS (
    SELECT g.id FROM goal g WHERE g.id = ${goalId} AND g.company_id = ${companyId}
    UNION SELECT g.id FROM goal g JOIN serving_goal above ON g.parent_id = above.id
      WHERE g.company_id = ${companyId}
  ), serving_project(id) AS (
    SELECT DISTINCT l.project_id FROM project_goal l JOIN serving_goal g ON l.goal_id = g.id
    WHERE l.company_id = ${companyId}
  )`;
