import { useAgents, usePeople } from '../../data/directory';

export function useAuthorName(
  agentId: string | null | undefined,
  userId: string | null | undefined,
): string | undefined {
  const agents = useAgents();
  const people = usePeople();
  if (agentId) return agents.get(agentId)?.name;
  return people.find((person) => person.userId === userId)?.name;
}
