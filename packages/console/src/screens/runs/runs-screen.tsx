import { Page } from '../../ui/page';

export function RunsScreen() {
  return <Page title="Runs">{null}</Page>;
}
