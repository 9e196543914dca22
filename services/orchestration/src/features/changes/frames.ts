import type { changeEvents } from '@switchyard/types';
import type { z } from 'zod';

type Events = typeof changeEvents;

export function frameOf<Name extends keyof Events>(
  name: Name,
  data: z.infer<Events[Name]>,
  id?: string,
): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
