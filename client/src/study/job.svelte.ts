// A simulation on the server: start, stop, resume and follow it.

import { session } from "../lib/session.svelte";
import { ask, errorMessage, get, post } from "../lib/api";
import type { EdgePoint, JobData, PlottedData, PlottedJob, SimulationData } from "../wire";

type ShownJob = JobData & Partial<PlottedJob>;

const EVERY = 400; // polling interval in milliseconds

export class WatchedJob {
  job = $state.raw<ShownJob | null>(null);
  result = $state.raw<SimulationData | null>(null);
  problem = $state("");
  sending = $state(false);
  #next: ReturnType<typeof setTimeout> | undefined;

  get isRunning(): boolean {
    return this.job?.state === "running";
  }

  /** The data to plot: the result, or the progress so far. */
  get shown(): PlottedData | null {
    return this.result ?? this.job?.so_far ?? null;
  }

  /** The plot's points: those of the first block, then one per block or group of blocks. */
  get points(): EdgePoint[] {
    return [...(this.job?.first ?? []), ...(this.shown?.convergence ?? [])];
  }

  start(plan: Record<string, unknown>): Promise<string | null> {
    return this.#do(async () => {
      this.result = null;
      await this.#see(await post<JobData>("/simulations", plan));
    });
  }

  open(id: string): Promise<string | null> {
    return this.#do(async () => this.#see(await get<PlottedJob>(`/simulations/${id}`)));
  }

  stop(): Promise<string | null> {
    return this.#do(async () => {
      await post<JobData>(`/simulations/${this.job?.id}/stop`);
      await this.#look();
    });
  }

  resume(rounds = 0): Promise<string | null> {
    return this.#do(async () => {
      const { first, so_far } = this.job ?? {};
      const found = await post<JobData>(`/simulations/${this.job?.id}/resume`, rounds ? { rounds } : {});
      this.result = null;
      await this.#see({ ...found, first, so_far });
    });
  }

  drop(): Promise<string | null> {
    return this.#do(async () => {
      await ask("DELETE", `/simulations/${this.job?.id}`);
      this.leave();
    });
  }

  /** Stop following. The simulation keeps its state. */
  leave(): void {
    this.end();
    this.job = null;
    this.result = null;
  }

  end(): void {
    clearTimeout(this.#next);
  }

  async #do(act: () => Promise<void>): Promise<string | null> {
    this.sending = true;
    this.problem = "";
    try {
      await session.ensureGuest();
      await act();
      return this.job?.id ?? null;
    } catch (error) {
      this.problem = errorMessage(error);
      return null;
    } finally {
      this.sending = false;
    }
  }

  async #see(job: ShownJob): Promise<void> {
    this.job = job;
    this.end();
    if (job.state === "running") this.#next = setTimeout(() => void this.#look().catch(() => this.#again()), EVERY);
    else if (job.state !== "failed" && job.state !== "cancelled") {
      // A run interrupted by a server restart has no result but can be resumed.
      const none = (error: unknown): null => {
        if (job.state === "interrupted") return null;
        throw error;
      };
      this.result = await get<SimulationData>(`/simulations/${job.id}/result`).catch(none);
    }
  }

  async #look(): Promise<void> {
    if (this.job) await this.#see(await get<PlottedJob>(`/simulations/${this.job.id}`));
  }

  #again(): void {
    this.#next = setTimeout(() => void this.#look().catch(() => this.#again()), 5 * EVERY);
  }
}
