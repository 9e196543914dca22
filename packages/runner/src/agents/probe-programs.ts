import type { AdapterExecution } from './agent-adapter';

export interface ProgramProbe {
  adapterType: string;
  found: boolean;
  message: string;
}

export async function probePrograms(
  adapters: readonly Pick<AdapterExecution, 'type' | 'findProgram'>[],
): Promise<ProgramProbe[]> {
  const probes: ProgramProbe[] = [];
  for (const { type, findProgram } of adapters) {
    if (findProgram) probes.push({ adapterType: type, ...(await findProgram()) });
  }
  return probes;
}
