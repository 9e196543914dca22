import { Page } from '../../ui/page';

export function GoalsScreen() {
  return <Page title="Goals">{null}</Page>;
}
