export const isEmployed = (status: string) => !UNEMPLOYED.includes(status);

export const isEmployedSql = (agent: string) => `${agent}.status NOT IN (${sqlOf(UNEMPLOYED)})`;

export const isActive = (status: string) => ACTIVE.includes(status);

export const isActiveSql = (agent: string) => `${agent}.status IN (${sqlOf(ACTIVE)})`;

export const UNEMPLOYED = ['terminated', 'pending_approval'];
const ACTIVE = ['idle', 'running', 'error'];

const sqlOf = (statuses: string[]) => statuses.map((status) => `'${status}'`).join(', ');
