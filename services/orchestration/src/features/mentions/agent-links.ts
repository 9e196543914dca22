import type { Token } from './markdown';

export interface AgentLink {
  agentId: string;
  name: string;
  beyondLimit: boolean;
}

const ADDRESS = /^agent:\/\/([^/?#]{1,100})\/?$/i;
const LONGEST_NAME = 200;

export function agentLinks(tokens: readonly Token[]): AgentLink[] {
  const links: AgentLink[] = [];
  let open: { agentId: string; text: string } | null = null;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const agentId = ADDRESS.exec(String(token.attrGet('href') ?? ''))?.[1];
      open = agentId ? { agentId, text: '' } : null;
    } else if (token.type === 'link_close') {
      if (open?.text.startsWith('@')) links.push(linkOf(open.agentId, open.text.slice(1), false));
      open = null;
    } else if (open && token.type === 'text') {
      open.text += token.content;
    }
  }
  return links;
}

const AS_WRITTEN = /\[@([^[\]\n]{0,200})\]\(agent:\/\/([^/?#()\s]{1,100})\/?\)/gi;

export const unreadAgentLinks = (text: string): AgentLink[] =>
  [...text.matchAll(AS_WRITTEN)].map(([, name, agentId]) =>
    linkOf(agentId as string, name as string, true),
  );

const linkOf = (agentId: string, name: string, beyondLimit: boolean): AgentLink => ({
  agentId: agentId.toLowerCase(),
  name: name.slice(0, LONGEST_NAME),
  beyondLimit,
});
