import { Page } from '../../ui/page';

export function ApprovalsScreen() {
  return <Page title="Approvals">{null}</Page>;
}
