/** A response body that is sent unchanged instead of as JSON. */
export class TextBody {
  constructor(
    readonly type: string,
    readonly text: string,
  ) {}
}
