export const GOAL_SUMMARY = {
  id: 'uuid',
  companyId: 'uuid',
  title: 'text',
  level: 'text',
  status: 'text',
  parentId: 'uuid?',
  ownerAgentId: 'uuid?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export const GOAL = { ...GOAL_SUMMARY, description: 'text?' } as const;
