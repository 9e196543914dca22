import { Page } from '../../ui/page';

export function ApprovalScreen() {
  return <Page title="Approval">{null}</Page>;
}
