//! How long matches take, from how many there were in each bucket: eight buckets to every doubling.

/// Buckets to a doubling, as in `matches.sql`.
const STEPS: f64 = 8.0;

/// What so many parts of a whole took at most: the middle, in the sense of ratios, of the bucket that it lies in. No more
/// than 4.5 % off, since a bucket's ends are 2^(1/8) apart.
pub fn quantile(buckets: &[(i16, i64)], part: f64) -> Option<i64> {
    let all: i64 = buckets.iter().map(|(_, count)| count).sum();
    let wanted = ((all as f64 * part).ceil() as i64).max(1);
    let mut passed = 0;
    let reached = buckets.iter().find(|(_, count)| {
        passed += count;
        passed >= wanted
    });
    reached.map(|(bucket, _)| middle(*bucket))
}

/// How long a move takes, of so many moves in all these matches together.
pub fn per_move(buckets: &[(i16, i64)], moves: i64) -> Option<f64> {
    let seconds: i64 = buckets.iter().map(|(bucket, count)| middle(*bucket) * count).sum();
    (moves > 0).then(|| seconds as f64 / moves as f64)
}

fn middle(bucket: i16) -> i64 {
    ((f64::from(bucket) + 0.5) / STEPS).exp2().round() as i64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn bucket(seconds: f64) -> i16 {
        (STEPS * seconds.max(1.0).log2()).floor() as i16
    }

    #[test]
    fn quantiles_are_as_exact_as_the_documentation_says() {
        let mut state = 7_u64;
        for size in [1, 2, 3, 10, 101, 5000] {
            let mut lengths: Vec<f64> = (0..size)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    60.0 + (state >> 40) as f64 / 1000.0
                })
                .collect();
            lengths.sort_by(f64::total_cmp);
            let mut counted = BTreeMap::new();
            lengths.iter().for_each(|length| *counted.entry(bucket(*length)).or_insert(0) += 1);
            let buckets: Vec<(i16, i64)> = counted.into_iter().collect();
            for part in [0.5, 0.9] {
                let exact = lengths[((f64::from(size) * part).ceil() as usize).max(1) - 1];
                let told = quantile(&buckets, part).unwrap() as f64;
                // Half a second for the rounding to whole ones.
                assert!((told - exact).abs() <= exact * 0.045 + 0.5, "{told} for {exact}");
            }
        }
    }

    #[test]
    fn of_nothing_there_is_no_quantile() {
        assert_eq!(quantile(&[], 0.5), None);
    }
}
