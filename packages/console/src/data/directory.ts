import { useMemo } from 'react';
import type { Schemas } from './api';
import { useCompany } from './company';
import { useRead, useWhole } from './read';

export type Agent = Schemas['ListedAgent'];

export interface Agents {
  all: readonly Agent[];
  present: readonly Agent[];
  get: (id: string | null | undefined) => Agent | undefined;
}

export function useAgents(): Agents {
  const { data } = useListedAgents();
  return data ? directoryOf(data) : NOBODY;
}

export function useListedAgents() {
  const { id } = useCompany();
  return useWhole('/api/companies/{companyId}/agents', { path: { companyId: id } });
}

export const byName = <Named extends { name: string }>(all: readonly Named[]): Named[] =>
  [...all].sort((one, other) => one.name.localeCompare(other.name));

function directoryOf(listed: readonly Agent[]): Agents {
  const known = DIRECTORIES.get(listed);
  if (known) return known;
  const all = byName(listed);
  const byId = new Map(all.map((agent) => [agent.id, agent]));
  const made: Agents = {
    all,
    present: all.filter(({ status }) => status !== 'terminated'),
    get: (agentId) => (agentId ? byId.get(agentId) : undefined),
  };
  DIRECTORIES.set(listed, made);
  return made;
}
const DIRECTORIES = new WeakMap<readonly Agent[], Agents>();
const NOBODY: Agents = { all: [], present: [], get: () => undefined };

export function useProjects(options?: { enabled?: boolean }) {
  const { id } = useCompany();
  return useWhole('/api/companies/{companyId}/projects', { path: { companyId: id } }, options);
}

export function useGoals(options?: { enabled?: boolean }) {
  const { id } = useCompany();
  return useWhole('/api/companies/{companyId}/goals', { path: { companyId: id } }, options);
}

export function useLabels(options?: { enabled?: boolean }) {
  const { id } = useCompany();
  return useWhole('/api/companies/{companyId}/labels', { path: { companyId: id } }, options);
}

export interface Person {
  userId: string;
  name: string;
}

export function usePeople(): readonly Person[] {
  const { id } = useCompany();
  const session = useRead('/api/auth/session', {});
  const isLocal = session.data?.mode === 'local';
  const members = useRead(
    '/api/companies/{companyId}/members',
    { path: { companyId: id } },
    { enabled: session.data !== undefined && !isLocal },
  );
  return useMemo(() => {
    if (isLocal) return [{ userId: LOCAL_BOARD, name: LOCAL_BOARD_NAME }];
    return (members.data ?? []).map(({ userId, name, email }) => ({ userId, name: name || email }));
  }, [isLocal, members.data]);
}

const LOCAL_BOARD = 'local-board';
const LOCAL_BOARD_NAME = 'Local board';
