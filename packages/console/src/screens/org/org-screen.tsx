import { Page } from '../../ui/page';

export function OrgScreen() {
  return <Page title="Org">{null}</Page>;
}
