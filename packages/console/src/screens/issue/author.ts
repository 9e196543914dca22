import { useAgents, usePeople } from '../../data/directory';

/** Who did something, by the two ids of which one is set. */
export function useAuthorName(
  agentId: string | null | undefined,
  userId: string | null | undefined,
): string | undefined {
  const agents = useAgents();
  const people = usePeople();
  if (agentId) return agents.get(agentId)?.name;
  return people.find((person) => person.userId === userId)?.name;
}
