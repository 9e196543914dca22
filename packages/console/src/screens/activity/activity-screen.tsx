import { Page } from '../../ui/page';

export function ActivityScreen() {
  return <Page title="Activity">{null}</Page>;
}
