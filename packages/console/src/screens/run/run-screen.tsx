import { Page } from '../../ui/page';

export function RunScreen() {
  return <Page title="Run">{null}</Page>;
}
