import { type OrchestrationRoute, route } from '../../route';
import { type AgentGuide, agentGuide } from './agent-guide';

export function guideRoutes(allRoutes: () => readonly OrchestrationRoute[]): OrchestrationRoute[] {
  let guide: AgentGuide | undefined;
  return [
    route({
      method: 'GET',
      path: '/api/agent-guide',
      operation: 'getAgentGuide',
      summary: 'Read the guide for agents, as Markdown',
      access: 'public',
      streams: 'text/markdown',
      headers: {
        'If-None-Match':
          'The ETag of the copy that the caller has; if it is current, the response is 304.',
      },
      otherResponses: { 304: null },
      handle: ({ request, response }) => {
        guide ??= agentGuide(allRoutes());
        response.setHeader('ETag', `"${guide.version}"`);
        response.setHeader('X-Guide-Version', guide.version);
        response.setHeader('Cache-Control', 'no-cache');
        if (request.fresh) return void response.status(304).end();
        response.type('text/markdown; charset=utf-8').send(guide.markdown);
      },
    }),
  ];
}
