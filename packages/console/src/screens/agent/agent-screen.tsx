import { Page } from '../../ui/page';

export function AgentScreen() {
  return <Page title="Agent">{null}</Page>;
}
