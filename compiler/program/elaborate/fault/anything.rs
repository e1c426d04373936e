//! Faults that put any message, or any value, in the place of another: each is an edge, so there may not be too many.

use crate::program::elaborate::declare::Declarations;
use crate::program::elaborate::init::Instances;
use crate::program::elaborate::log::Log;
use crate::program::problem::SizeProblem;
use crate::program::{Acts, Fault, FaultTarget, Stmt, Type, Variable, limits};
use crate::vocabulary::{ChannelId, DataId};

/// Complains about faults that have too many values to choose from.
pub fn anything(
    decls: &Declarations<'_>,
    made: &Instances<'_>,
    variables: &[Variable],
    bodies: &[Vec<Stmt>],
    log: &mut Log,
) {
    for fault in made.faults.iter().filter(|fault| fault.kind.any_value) {
        for (index, target) in fault.targets.iter().enumerate() {
            match (fault.variables.get(index), *target) {
                (Some(about), _) => {
                    let variable = &variables[about.variable.0 as usize];
                    let (ty, _) = about.part_of(&variable.ty);
                    log.uses.arbitrary.extend(data(std::slice::from_ref(ty)));
                    let count = ty.count(&decls.data);
                    if count.saturating_sub(1) > limits::OTHER_MESSAGES {
                        log.report(SizeProblem::OtherValues {
                            fault: fault.kind.name.to_string(),
                            variable: variable.name.clone(),
                            count,
                            span: variable.span,
                            marker: fault.span,
                        });
                    }
                }
                (None, FaultTarget::Detector(_)) => {}
                (None, FaultTarget::Channel(id)) => messages(decls, made, fault, id, log),
                (None, FaultTarget::Process(id)) => {
                    let sends = bodies.get(id.0 as usize).map(|body| Acts::of(body).sends);
                    let mut channels: Vec<ChannelId> = sends.into_iter().flatten().collect();
                    channels.sort_unstable();
                    for channel in channels {
                        messages(decls, made, fault, channel, log);
                    }
                }
            }
        }
    }
}

/// Complains if a channel has too many messages.
fn messages(
    decls: &Declarations<'_>,
    made: &Instances<'_>,
    fault: &Fault,
    channel: ChannelId,
    log: &mut Log,
) {
    let channel = &made.channels[channel.0 as usize];
    let counts = channel.fields.iter().map(|field| field.count(&decls.data));
    let count = counts.fold(1u64, u64::saturating_mul);
    if count.saturating_sub(1) > limits::OTHER_MESSAGES {
        log.report(SizeProblem::OtherMessages {
            fault: fault.kind.name.to_string(),
            channel: channel.name.clone(),
            count,
            span: channel.span,
            marker: fault.span,
        });
    }
    log.uses.arbitrary.extend(data(&channel.fields));
}

/// The data types whose constructors all may be there.
fn data(types: &[Type]) -> Vec<DataId> {
    let scalars = types.iter().flat_map(Type::flat);
    let data = scalars.filter_map(|scalar| match scalar {
        Type::Data(data) => Some(data),
        _ => None,
    });
    data.collect()
}
