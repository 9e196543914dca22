import { Page } from '../../ui/page';

export function IssueScreen() {
  return <Page title="Issue">{null}</Page>;
}
