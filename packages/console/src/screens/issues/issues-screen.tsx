import { Page } from '../../ui/page';

export function IssuesScreen() {
  return <Page title="Issues">{null}</Page>;
}
