export type Target =
  | { kind: 'outside'; href: string }
  | { kind: 'agent'; agentId: string }
  | { kind: 'attachment'; href: string };

const AGENT = /^agent:\/\/([0-9a-f-]{36})\/?$/i;
const ATTACHMENT = /^\/api\/attachments\/[0-9a-f-]{36}\/content$/i;

export function targetOf(address: string): Target | undefined {
  const agentId = AGENT.exec(address)?.[1];
  if (agentId) return { kind: 'agent', agentId: agentId.toLowerCase() };
  if (ATTACHMENT.test(address)) return { kind: 'attachment', href: address };
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  if (!OUTSIDE.has(protocol)) return undefined;
  return { kind: 'outside', href };
}

const OUTSIDE = new Set(['http:', 'https:', 'mailto:']);
