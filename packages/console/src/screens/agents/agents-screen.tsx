import { Page } from '../../ui/page';

export function AgentsScreen() {
  return <Page title="Agents">{null}</Page>;
}
