export const isEmployed = (status: string) =>
  status !== 'terminated' && status !== 'pending_approval';

export const isEmployedSql = (agent: string) =>
  `${agent}.status NOT IN ('terminated', 'pending_approval')`;

export const isActive = (status: string) => ACTIVE.includes(status);

export const isActiveSql = (agent: string) =>
  `${agent}.status IN (${ACTIVE.map((status) => `'${status}'`).join(', ')})`;

const ACTIVE = ['idle', 'running', 'error'];
