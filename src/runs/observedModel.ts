import { ModelError, type Model, type StepPart, type StepResult } from '../models/model.ts';
import type { AttemptTelemetry } from '../telemetry/attempt.ts';

/** The model, with each of its steps counted and traced as part of the attempt. */
export function observeModel(model: Model, attempt: AttemptTelemetry): Model {
  return {
    ...model,
    async *step(request): AsyncGenerator<StepPart, StepResult> {
      const step = attempt.beginStep();
      try {
        const parts = model.step(request);
        for (;;) {
          const next = await parts.next();
          if (next.done) {
            step.complete(next.value.usage);
            return next.value;
          }
          step.delta();
          yield next.value;
        }
      } catch (error) {
        if (request.signal.aborted) step.end('interrupted');
        else step.fail(error instanceof ModelError ? error.code : 'internal_error');
        throw error;
      }
    },
  };
}
