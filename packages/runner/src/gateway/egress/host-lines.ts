/** Maximum number of lines per run, so that a run that scans hosts does not hide its own output. */
const MAX_LINES = 100;

export interface HostLines {
  reached(place: string, what?: string): void;
  refused(place: string, reason: string): void;
}

export function createHostLines(onLine: (line: string) => void): HostLines {
  const seen = new Set<string>();
  const write = (key: string, line: string) => {
    if (seen.size > MAX_LINES || seen.has(key)) return;
    seen.add(key);
    onLine(seen.size > MAX_LINES ? '[egress] further hosts are not listed' : `[egress] ${line}`);
  };
  return {
    reached: (place, what) => write(`+${place}`, what ? `${place} (${what})` : place),
    refused: (place, reason) => write(`-${place}`, `refused ${place}: ${reason}`),
  };
}
