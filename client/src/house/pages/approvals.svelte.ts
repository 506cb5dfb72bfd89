// Requests for a second person's approval, and the answers to your own since you opened the page.

import { errorMessage, get } from "../../lib/api";
import { session } from "../../lib/session.svelte";
import type { ApprovalLine, ApprovalList } from "../../wire";

class Approvals {
  data = $state.raw<ApprovalList | null>(null);
  problem = $state("");
  answered = $state.raw<ApprovalLine[]>([]);
  #waiting = new Set<number>(); // your requests without an answer

  readonly waiting = $derived(this.data?.requests.filter((one) => one.status === "waiting") ?? []);

  async look(): Promise<void> {
    if (document.hidden) return;
    try {
      this.data = await get<ApprovalList>("/approvals");
      this.problem = "";
      for (const one of this.data.requests.filter(isOwn)) {
        if (one.status === "waiting") this.#waiting.add(one.request);
        else if (this.#waiting.delete(one.request)) this.answered = [one, ...this.answered];
      }
    } catch (error) {
      this.problem = errorMessage(error);
    }
  }

  dismiss(request: number): void {
    this.answered = this.answered.filter((one) => one.request !== request);
  }
}

export const isOwn = (line: ApprovalLine): boolean => line.requested_by === `person/${session.person?.id}`;

/** What a request asks for: "Issue play money to Ana: $500". */
export const what = ({ title, details }: ApprovalLine): string => [title, details].filter(Boolean).join(": ");

export const approvals = new Approvals();
